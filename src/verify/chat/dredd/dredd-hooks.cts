// Dredd loads its hooks with `require`, and gives them to whoever requires "hooks" in this very file. The rest is an ES module.
const hooks: import("./dredd-transaction.js").DreddHooks = require("hooks");

const created = import("./create-case-hooks.js").then(({ createCaseHooks }) => createCaseHooks(hooks.configuration));

hooks.beforeAll((_, done) => void created.then((own) => own.beforeAll()).then(done));
hooks.beforeEach((transaction, done) => void created.then((own) => own.beforeEach(transaction)).then(done));
hooks.beforeEachValidation(
  (transaction, done) => void created.then((own) => own.beforeEachValidation(transaction)).then(done),
);
hooks.afterEach((transaction, done) => void created.then((own) => own.afterEach(transaction)).then(done));
