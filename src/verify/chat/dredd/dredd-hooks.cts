// Dredd loads hook files with `require` and resolves "hooks" only in the hook file itself. The rest is an ES module.
const hooks: import("./dredd-api.js").DreddHooks = require("hooks");

const created = import("./case-hooks.js").then(({ createCaseHooks }) => createCaseHooks(hooks.configuration));

hooks.beforeAll((_, done) => void created.then((own) => own.beforeAll()).then(done));
hooks.beforeEach((transaction, done) => void created.then((own) => own.beforeEach(transaction)).then(done));
hooks.beforeEachValidation(
  (transaction, done) => void created.then((own) => own.beforeEachValidation(transaction)).then(done),
);
hooks.afterEach((transaction, done) => void created.then((own) => own.afterEach(transaction)).then(done));
