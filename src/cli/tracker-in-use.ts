/** How people read whose rights and links a command is about, for each tracker has its own. */
export function trackerInUse(tracker: string): string {
  return tracker === 'sample' ? 'the invented company (TRACKER=sample)' : 'the imports';
}
