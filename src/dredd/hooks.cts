// Dredd loads hook files with `require` and resolves "hooks" only in the hook file itself. The rest is an ES module.
const hooks: import("./transaction.js").DreddHooks = require("hooks");

const created = import("./create-hooks.js").then(({ createHooks }) => createHooks(hooks.configuration, process.env));
created.catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
});

hooks.beforeEach((transaction, done) => void created.then((own) => own.beforeEach(transaction)).then(done));
hooks.beforeEachValidation(
  (transaction, done) => void created.then((own) => own.beforeEachValidation(transaction)).then(done),
);
hooks.afterEach((transaction, done) => void created.then((own) => own.afterEach(transaction)).then(done));
