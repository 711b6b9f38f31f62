import { readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";

/** A change of one place of a compiled module. */
export interface Mutant {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  readonly change: string;
}

/** Operators, each with what a mutant has instead. */
const otherOperators: Partial<Record<ts.SyntaxKind, ts.BinaryOperator>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: ts.SyntaxKind.ExclamationEqualsEqualsToken,
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: ts.SyntaxKind.EqualsEqualsEqualsToken,
  [ts.SyntaxKind.LessThanToken]: ts.SyntaxKind.LessThanEqualsToken,
  [ts.SyntaxKind.LessThanEqualsToken]: ts.SyntaxKind.LessThanToken,
  [ts.SyntaxKind.GreaterThanToken]: ts.SyntaxKind.GreaterThanEqualsToken,
  [ts.SyntaxKind.GreaterThanEqualsToken]: ts.SyntaxKind.GreaterThanToken,
  [ts.SyntaxKind.AmpersandAmpersandToken]: ts.SyntaxKind.BarBarToken,
  [ts.SyntaxKind.BarBarToken]: ts.SyntaxKind.AmpersandAmpersandToken,
  [ts.SyntaxKind.PlusToken]: ts.SyntaxKind.MinusToken,
  [ts.SyntaxKind.MinusToken]: ts.SyntaxKind.PlusToken,
};

/** The mutants of a process: the active one, and those that it has reached. */
interface Mutants {
  active: number;
  readonly seen: Set<number>;
}

/** The mutants of this process. */
export function mutantsOf(global: object): Mutants {
  const place = global as { accordMutants?: Mutants };
  place.accordMutants ??= { active: -1, seen: new Set() };
  return place.accordMutants;
}

/** What the mutated modules ask whether they are the active mutant. Remembers which mutants a run reaches. */
const runtime = `
const mutants = (globalThis.accordMutants ??= { active: Number(process.env.ACCORD_MUTANT ?? -1), seen: new Set() });
const isMutant = (id) => (mutants.seen.add(id), mutants.active === id);
`;

/**
 * Rewrites a compiled module so that it contains all of its mutants: negated conditions, other operators, removed statements, and
 * results that are missing. `globalThis.accordMutants.active` chooses one.
 */
export function instrument(file: string, root: string, firstId: number): Mutant[] {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const mutants: Mutant[] = [];
  const { factory } = ts;
  const chosen = (node: ts.Node, change: string): ts.Expression => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const id = firstId + mutants.length;
    mutants.push({ id, file: file.slice(root.length), line: line + 1, change: `${change}: ${excerpt(node, source)}` });
    return factory.createCallExpression(factory.createIdentifier("isMutant"), undefined, [
      factory.createNumericLiteral(id),
    ]);
  };
  const grouped = (expression: ts.Expression) => factory.createParenthesizedExpression(expression);
  const either = (node: ts.Node, change: string, mutated: ts.Expression, original: ts.Expression) =>
    grouped(
      factory.createConditionalExpression(chosen(node, change), undefined, mutated, undefined, grouped(original)),
    );
  const transformer: ts.TransformerFactory<ts.SourceFile> = (context) => {
    const visit = (node: ts.Node): ts.Node => {
      const inner = ts.visitEachChild(node, visit, context);
      if (ts.isIfStatement(inner) && ts.isIfStatement(node)) {
        const condition = either(
          node.expression,
          "negated",
          factory.createLogicalNot(grouped(inner.expression)),
          inner.expression,
        );
        return factory.updateIfStatement(inner, condition, inner.thenStatement, inner.elseStatement);
      }
      if (ts.isConditionalExpression(inner) && ts.isConditionalExpression(node)) {
        const condition = either(
          node.condition,
          "negated",
          factory.createLogicalNot(grouped(inner.condition)),
          inner.condition,
        );
        return factory.createConditionalExpression(condition, undefined, inner.whenTrue, undefined, inner.whenFalse);
      }
      if (ts.isBinaryExpression(inner)) {
        const other = otherOperators[inner.operatorToken.kind];
        if (other === undefined) return inner;
        return either(node, "other operator", factory.createBinaryExpression(inner.left, other, inner.right), inner);
      }
      if (ts.isReturnStatement(inner) && inner.expression !== undefined) {
        return factory.updateReturnStatement(
          inner,
          either(node, "no result", factory.createVoidZero(), inner.expression),
        );
      }
      if (ts.isExpressionStatement(inner) && isCall(inner.expression)) {
        // In a block, because an `else` that follows would belong to it otherwise.
        return factory.createBlock([
          factory.createIfStatement(factory.createLogicalNot(chosen(node, "removed")), inner),
        ]);
      }
      return inner;
    };
    return (file) => ts.visitEachChild(file, visit, context);
  };
  const { transformed } = ts.transform(source, [transformer]);
  const [result] = transformed;
  if (result === undefined) throw new Error(`${file} cannot be transformed`);
  writeFileSync(file, runtime + ts.createPrinter().printFile(result));
  return mutants;
}

function isCall(expression: ts.Expression): boolean {
  return ts.isCallExpression(expression) || (ts.isAwaitExpression(expression) && isCall(expression.expression));
}

function excerpt(node: ts.Node, source: ts.SourceFile): string {
  return node.getText(source).replaceAll(/\s+/g, " ").slice(0, 60);
}
