/** What the database of a server is, beside its content. */
export interface Schema {
  /** The file within the data folder, such as `chat.db`. */
  readonly file: string;
  /** Marks a file as ours: four letters of ASCII as one number, kept in SQLite's `application_id`. */
  readonly applicationId: number;
  /** All migrations in order. The number of those that a file has is its schema version; a released one is never changed. */
  readonly migrations: readonly string[];
}
