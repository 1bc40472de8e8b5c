import { foldedName } from '../model/folded-name.ts';
import type { User } from '../model/issue.ts';

/** The most people that are told at once. */
const MOST = 20;

/** Everybody in whose id, login, name or address a text occurs, without regard to case, in lines of columns. */
export function findPeople(text: string, users: ReadonlyMap<string, User>): readonly string[] {
  const wanted = foldedName(text);
  const found = [...users.values()]
    .filter(({ id, login, name, email }) =>
      [id, login, name, email].some((one) => one !== undefined && foldedName(one).includes(wanted)),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const rows = found.slice(0, MOST).map(({ id, login, name, email }) => [id, name, login ?? '', email ?? '']);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => (row[column] ?? '').length)));
  return [
    ...rows.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
    ...(found.length > MOST ? [`… and ${found.length - MOST} more: say more of the name.`] : []),
  ];
}
