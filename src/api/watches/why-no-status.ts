import type { Asker } from '../../model/request.ts';
import type { WatchInput } from '../../model/watch.ts';
import type { WatchesParts } from './watches-parts.ts';

/** Why nothing can sit too long in a status, in a sentence; null: something can. */
export async function whyNoStatus(
  { id, name }: WatchInput['status'],
  asker: Asker,
  { reporting }: Pick<WatchesParts, 'reporting'>,
): Promise<string | null> {
  const all = await reporting.statuses(asker);
  // A tracker of which nothing has been read yet tells nothing about any status.
  if (all.length === 0) return null;
  const meant = all.filter((one) => one.id === id || one.name.toLowerCase() === name.toLowerCase());
  if (meant.length === 0) return `There is no status '${name}' any more that you can see.`;
  if (meant.every(({ deleted }) => deleted)) return `The status '${name}' was deleted in the tracker.`;
  if (meant.some(({ category, deleted }) => category !== 'Done' && !deleted)) return null;
  return `The status '${name}' is of the category Done; allowed: statuses in which work still waits.`;
}
