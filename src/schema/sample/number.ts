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
  const whole = (count: number) => rounded(count * step);
  const firstOf = (counts: readonly number[]) => counts.map(whole).find(fits);
  if (fits(0)) return firstOf([nth, -nth]) ?? 0;
  if (Number.isFinite(min) && max > min - 1 && min >= 0) {
    const plain = multipleOf === undefined && !isInteger ? rounded(min + nth * step) : undefined;
    if (plain !== undefined && fits(plain)) return plain;
    const start = Math.ceil(rounded(min / step));
    return firstOf([start + nth, start + nth + 1, start, start + 1]) ?? min;
  }
  const end = Math.floor(rounded(max / step));
  return firstOf([end - nth, end - nth - 1, end, end - 1]) ?? max;
}

/** Without the last digits, which floating-point numbers make up. */
function rounded(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(14));
}
