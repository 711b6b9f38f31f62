/** What a schema says of a number. */
export interface NumberLimits {
  readonly isInteger: boolean;
  readonly min: number;
  readonly max: number;
  readonly isMinExcluded: boolean;
  readonly isMaxExcluded: boolean;
  readonly multipleOf: number | undefined;
}

/** A number that a schema allows: 0, or the closest to it. Numbers of different `nth` differ if possible. */
export function sampleNumber(limits: NumberLimits, nth: number): number {
  const { isInteger, min, max, isMinExcluded, isMaxExcluded, multipleOf } = limits;
  const step = multipleOf ?? (isInteger || max - min > 2 || max < min ? 1 : (max - min) / 4);
  const fits = (value: number) =>
    (isMinExcluded ? value > min : value >= min) && (isMaxExcluded ? value < max : value <= max);
  // Multiples are counted, because adding them up would round.
  const whole = (value: number) => rounded(value * step);
  const first = Math.ceil(Math.max(min, Math.min(0, max)) / step);
  const counted = (from: number) => [0, 1, 2].map((skip) => whole(from + skip)).find(fits);
  if (min > 0 || !fits(0)) {
    const start = Number.isFinite(min) ? Math.ceil(rounded(min / step)) : Math.floor(rounded(max / step)) - nth - 1;
    const plain =
      Number.isFinite(min) && multipleOf === undefined && !isInteger ? rounded(min + nth * step) : undefined;
    if (plain !== undefined && fits(plain)) return plain;
    const found = [start + nth, start].map(counted).find((value) => value !== undefined);
    return found ?? (Number.isFinite(min) ? min : max);
  }
  return [nth, -nth].map(whole).find(fits) ?? counted(first) ?? 0;
}

/** Without the last digits, which floating-point numbers make up. */
function rounded(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(14));
}
