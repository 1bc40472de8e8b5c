import type { AudienceChange } from './read-audience-words.ts';

/** What is typed on the command line to change what a channel may read of. */
export function audienceLine(
  change: Exclude<AudienceChange, { readonly verb: 'show' }>,
  channel: string,
): string {
  const keys = 'keys' in change ? ` ${change.keys.join(' ')}` : '';
  const guests = 'withGuests' in change && change.withGuests ? ' --with-guests' : '';
  return `npm run --silent dwell -- audience ${channel} ${change.verb}${keys}${guests}`;
}
