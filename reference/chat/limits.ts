/** Maximum length of a topic in Unicode code points (max_topic_length). */
export const maxTopicLength = 60;
/** Maximum length of a message in Unicode code points (max_message_length). */
export const maxMessageLength = 10_000;

/** Whether a text has more than `max` Unicode code points. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && [...text].length > max;
}
