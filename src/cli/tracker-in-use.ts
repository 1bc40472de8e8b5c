/** How people read whose rights and links a command is about, for each tracker has its own. */
export function trackerInUse(tracker: string): string {
  switch (tracker) {
    case 'sample':
      return 'the invented company (TRACKER=sample)';
    case 'jira':
      return 'Jira';
    case 'hosted':
      return 'the hosted service (TIS_BASE_URL)';
    default:
      return 'the imports';
  }
}
