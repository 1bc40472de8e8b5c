import type { DatabaseSync } from 'node:sqlite';
import type { Instant } from '../../model/issue.ts';
import type { ClaimedVisit, WatchStore, WatchVisit } from '../watch-store.ts';

/** A visit the account was told of by another watch, and when. */
interface HeardVisit extends WatchVisit {
  readonly at: Instant;
}

/** What can be claimed now. */
type Claims =
  | { readonly kind: 'quiet' }
  | { readonly kind: 'open'; readonly take: readonly ClaimedVisit[]; readonly heard: readonly HeardVisit[] };

type At = Parameters<WatchStore['claim']>[2];

/** A row of what the account was told, or is to be told. */
interface Row {
  readonly watch: string;
  readonly key: string;
  readonly since: Instant;
  readonly told: Instant | null;
  readonly isUnderWay: boolean;
}

/** Finds, and writes nothing. */
export function claimWatchVisits(
  database: DatabaseSync,
  account: string,
  visits: readonly WatchVisit[],
  at: At,
): Claims {
  const watch = database.prepare('SELECT 1 FROM watch WHERE id = ?');
  const own = database.prepare(
    'SELECT state, account, claimed_at FROM watch_alert WHERE watch = ? AND key = ? AND since = ?',
  );
  const watches = new Set(
    [...new Set(visits.map(({ watchId }) => watchId))].filter((id) => watch.get(id) !== undefined),
  );
  const free = visits.flatMap((visit): ClaimedVisit[] => {
    const { watchId, key, since } = visit;
    if (!watches.has(watchId)) return [];
    const row = own.get(watchId, key, since);
    if (row === undefined) return [{ ...visit, leftFor: null }];
    if (row.state !== 'claimed' || isUnderWay(Number(row.claimed_at), at)) return [];
    return [{ ...visit, leftFor: row.account === null ? account : String(row.account) }];
  });
  if (free.length === 0) return { kind: 'open', take: [], heard: [] };
  const rows = database
    .prepare('SELECT * FROM watch_alert WHERE account = ?')
    .all(account)
    .map((row) => readRow(row, at));
  if (rows.some((row) => row.isUnderWay || isRecent(row, at))) return { kind: 'quiet' };
  return { kind: 'open', ...shareOut(free, rows, account) };
}

/** Writes them, in the caller's transaction. */
export function writeClaims(
  database: DatabaseSync,
  account: string,
  { take, heard }: Extract<Claims, { readonly kind: 'open' }>,
  now: Instant,
): void {
  const put = database.prepare(`
    INSERT OR REPLACE INTO watch_alert (watch, key, since, state, account, claimed_at, settled_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  for (const { watchId, key, since } of take) put.run(watchId, key, since, 'claimed', account, now, null);
  for (const { watchId, key, since, at } of heard) put.run(watchId, key, since, 'told', account, now, at);
}

/** Whatever watch found a visit, an account is told of it once. */
function shareOut(free: readonly ClaimedVisit[], rows: readonly Row[], account: string) {
  const byKey = Map.groupBy(rows, ({ key }) => key);
  const take = new Map<string, ClaimedVisit>();
  const heard: HeardVisit[] = [];
  for (const visit of free) {
    const { watchId, key, since } = visit;
    const others = (byKey.get(key) ?? []).filter((row) => row.watch !== watchId && row.since >= since);
    const told = others.flatMap((row) => (row.told === null ? [] : [row.told]));
    if (told.length > 0) heard.push({ watchId, key, since, at: Math.max(...told) });
    else if (!take.has(key)) {
      take.set(key, others.length === 0 ? visit : { ...visit, leftFor: visit.leftFor ?? account });
    }
  }
  return { take: [...take.values()], heard };
}

function readRow(row: Record<string, unknown>, at: At): Row {
  return {
    watch: String(row.watch),
    key: String(row.key),
    since: Number(row.since),
    told: row.state === 'told' ? Number(row.settled_at) : null,
    isUnderWay: row.state === 'claimed' && isUnderWay(Number(row.claimed_at), at),
  };
}

/** A claim further ahead than a stale one lies back was made by a clock that has been set back since. */
function isUnderWay(claimedAt: Instant, { now, stale }: At): boolean {
  return claimedAt > stale && claimedAt <= 2 * now - stale;
}

function isRecent({ told }: Row, { now, quietSince }: At): boolean {
  return told !== null && told > quietSince && told <= 2 * now - quietSince;
}
