import type { AudienceWish } from './read-audience-words.ts';

/** What is typed on the command line to change what a channel may read of. */
export function audienceLine(
  wish: Exclude<AudienceWish, { readonly verb: 'show' }>,
  channel: string,
): string {
  const keys = 'keys' in wish ? ` ${wish.keys.join(' ')}` : '';
  const guests = 'withGuests' in wish && wish.withGuests ? ' --with-guests' : '';
  return `npm run --silent dwell -- audience ${channel} ${wish.verb}${keys}${guests}`;
}
