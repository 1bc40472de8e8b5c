/** The ids of the issues that an event of Jira is about; null when it is no event at all. */
export function readEvent(_body: unknown): readonly string[] | null {
  throw new Error('to come');
}
