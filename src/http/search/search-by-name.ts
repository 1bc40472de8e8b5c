/** A part of what was found; `last` says that nothing follows. */
interface FoundPage<Thing> {
  readonly pageNumber: number;
  readonly pageSize: number;
  readonly total: number;
  readonly last: boolean;
  readonly found: readonly Thing[];
}

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
export function pageOf<Thing>(
  things: readonly Thing[],
  { pageNumber, maxResults }: { readonly pageNumber: number; readonly maxResults: number },
): FoundPage<Thing> {
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
