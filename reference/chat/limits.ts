/** Most characters of a topic, counted in Unicode code points (max_topic_length). */
export const maxTopicLength = 60;
/** Most characters of a message (max_message_length). */
export const maxMessageLength = 10_000;

/** Whether a text has more Unicode code points than this. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most && [...text].length > most;
}
