import { type HostedService, serviceUnavailable } from './hosted-service.ts';
import type { PageAnswer } from './keychain-answers.ts';

const AT_A_TIME = 4;

/** A hundred thousand entries: no register has so many. */
const MOST_PAGES = 1000;

/**
 * Reads a list page by page from its beginning, each entry once; of one that comes twice the later word counts. Once
 * the first page has told how far the list goes, further ones are asked for a few at a time.
 */
export async function readPages<Entry extends { readonly id: number }>(
  page: (startAt: number) => Promise<PageAnswer<Entry>>,
  service: HostedService,
): Promise<Entry[]> {
  const entries = new Map<number, Entry>();
  let read = 0;
  let asked = 0;
  let size = 0;
  let starts = [0];
  while (starts.length > 0) {
    asked += starts.length;
    const pages = await Promise.all(
      starts.map(async (startAt) => ({ startAt, answer: await page(startAt) })),
    );
    for (const { startAt, answer } of pages) {
      // The page before had another size than the first: this one is asked for anew, from where that one ended.
      if (startAt !== read) break;
      const { values, total } = answer;
      const known = entries.size;
      for (const entry of values) entries.set(entry.id, entry);
      read += values.length;
      // A service that counts more than it tells, or that tells the same again, would be asked for ever.
      if (read >= total || entries.size === known) return [...entries.values()];
      if (size === 0) size = values.length;
      const left = Math.min(AT_A_TIME, Math.ceil((total - read) / size), MOST_PAGES - asked);
      starts = Array.from({ length: left }, (_, i) => read + i * size);
    }
  }
  throw serviceUnavailable(
    `tells a list that does not end: after ${asked} pages there is still more.`,
    service,
  );
}
