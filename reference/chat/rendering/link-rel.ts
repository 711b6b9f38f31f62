/** The `rel` of every link in a message: the page linked learns nothing of the chat, and no search engine follows. */
export const LINK_REL = "noopener noreferrer nofollow";
