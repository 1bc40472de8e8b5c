import { askersOf } from '../exports/principals-of.ts';
import { exportTitle, exportTitleText } from '../messages/export-title.ts';
import type { HomeParts } from '../parts.ts';
import type { Files } from './home-content.ts';

const SHOWN = 3;

/** Somebody's last exports, whether they were asked for before or after it was known who they are. */
export async function findFiles(account: string, parts: HomeParts): Promise<Files> {
  const { exports, reporting } = parts;
  const lists = await Promise.all(
    (await askersOf(account, parts)).map((principal) => exports.list(principal, { start: 0, size: SHOWN })),
  );
  const records = lists.flatMap((list) => list.records).toSorted((a, b) => b.createdAt - a.createdAt);
  const shown = records.slice(0, SHOWN);
  return {
    files: shown.map((record) => ({ title: exportTitleText(exportTitle(record.input, reporting)), record })),
    more: lists.reduce((sum, { total }) => sum + total, 0) - shown.length,
  };
}
