import type { PageAnswer } from './answers.ts';

/** Reads a list page by page from its beginning, each entry once; of one that comes twice the later word counts. */
export async function readPages<Entry extends { readonly id: number }>(
  page: (startAt: number) => Promise<PageAnswer<Entry>>,
): Promise<Entry[]> {
  const entries = new Map<number, Entry>();
  let read = 0;
  for (;;) {
    const { values, total } = await page(read);
    const known = entries.size;
    for (const entry of values) entries.set(entry.id, entry);
    read += values.length;
    // A service that counts more than it tells, or that tells the same again, would be asked for ever.
    if (read >= total || entries.size === known) return [...entries.values()];
  }
}
