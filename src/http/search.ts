import { z } from 'zod';
import { oneOf, text, wholeNumber } from '../api/parameters/parameter.ts';

const MAX_PAGES = 1_000_000;

/** The place within a list that comes in pages. */
export const pageNumber = wholeNumber(0, MAX_PAGES).default(0).describe('Page index, from 0.');

/** The place of a page within its list, as it is answered; `last` says that nothing follows. */
export const pageMembers = {
  pageNumber: z.int(),
  pageSize: z.int(),
  total: z.int(),
  last: z.boolean(),
};

/** The parameters of every search by name. */
export const searchParameters = {
  name: text.optional().describe('The name looked for, in any case; without it everything is found.'),
  searchType: oneOf(['exact', 'contain'])
    .default('contain')
    .describe('Match the whole name or a part of it.'),
  pageNumber,
  maxResults: wholeNumber(1, 100).default(10).describe('Maximum page size.'),
};

/** Things whose name is, or holds, a text, without regard to case. */
export function searchByName<Thing extends { readonly name: string }>(
  things: readonly Thing[],
  { name = '', searchType }: { readonly name?: string | undefined; readonly searchType: 'exact' | 'contain' },
): Thing[] {
  const wanted = name.toLowerCase();
  return things.filter((thing) => {
    const own = thing.name.toLowerCase();
    return wanted === '' || (searchType === 'exact' ? own === wanted : own.includes(wanted));
  });
}

/** One page of a list. */
export function pagePart<Thing>(
  things: readonly Thing[],
  { pageNumber, maxResults }: { readonly pageNumber: number; readonly maxResults: number },
) {
  const start = pageNumber * maxResults;
  const end = start + maxResults;
  return {
    pageNumber,
    pageSize: maxResults,
    total: things.length,
    last: end >= things.length,
    found: things.slice(start, end),
  };
}
