/** A parcel as the API returns it. */
export interface Parcel {
  readonly number: string;
  readonly status: string;
  readonly weight: number;
  readonly services: readonly string[];
  readonly delivered_at: string | null;
  readonly recipient: { readonly name: string; readonly phone: string | null } | null;
}
