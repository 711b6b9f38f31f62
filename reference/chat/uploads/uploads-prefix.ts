/** What the path of every upload begins with; its `path_id` follows. */
export const uploadsPrefix = "/user_uploads/";
