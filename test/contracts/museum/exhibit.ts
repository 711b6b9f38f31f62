/** An exhibit as the API returns it. */
export interface Exhibit {
  readonly id: number;
  readonly title: string;
  readonly room: string;
  readonly year: number | null;
  readonly materials: readonly string[];
  readonly acquired_on: string | null;
  readonly donor: { readonly name: string; readonly note: string | null } | null;
  readonly rating: number | null;
}
