/** A number as `digits` × 10 ^ `exponent`, as JSON writes it. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(value: number | bigint): Decimal | undefined {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return whole === ""
    ? undefined
    : { digits: BigInt(`${sign}${whole}${fraction}`), exponent: Number(power) - fraction.length };
}

/** Whether a number is a multiple of another, by their decimal digits: 19.99 is one of 0.01. */
export function isMultiple(value: number | bigint, of: number): boolean {
  const [a, b] = [decimalOf(value), decimalOf(of)];
  if (a === undefined || b === undefined || b.digits === 0n) return true;
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent);
  return scaled(a) % scaled(b) === 0n;
}
