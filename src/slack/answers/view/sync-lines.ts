import type { Instant } from '../../../model/issue.ts';
import { type SyncProblem, type SyncStatus, syncCommand } from '../../../model/sync.ts';
import { countOf, countWords } from '../../../output/figure-words.ts';
import { durationWords, shorten } from '../../../output/readable-text.ts';
import { fillText, stillText } from '../../../output/sync-text.ts';
import { orElse } from '../../app/show-failure.ts';
import { someOf } from '../../blocks/message.ts';
import { escapeMrkdwn } from '../../blocks/mrkdwn.ts';
import { momentText } from './answer-warnings.ts';
import { marked } from './marked-wording.ts';

/** Clocks differ a little always; more than this shifts what is shown. */
const CLOCK_MS = 60_000;
const SENTENCE_LENGTH = 400;
const WITHHELD_SHOWN = 10;

/**
 * Lines (mrkdwn) on how fresh the stored issues are, or how far their first fill is. Everyone reads that the last sync
 * failed; only an `admin` reads why, and what is withheld: it can name what is not for everyone.
 */
export function syncLines(sync: SyncStatus, at: Instant, admin: boolean): readonly string[] {
  return [
    sync.filled ? freshLine(sync, at) : fillLine(sync),
    ...(sync.problem === null ? [] : [problemLine(sync.problem, at, admin)]),
    ...(sync.withheld.length === 0 || !admin
      ? []
      : [`Not everything can be read: ${someOf(sync.withheld.map(sentence), WITHHELD_SHOWN)}.`]),
    ...clockLines(sync),
  ];
}

/** The effect of a running first fill on answers. */
export const whileFilling = 'Until it is done I show single issues only: lists would be incomplete.';

/** A sentence on how far a first fill is. */
export function fillLine(sync: SyncStatus): string {
  const fill = `Initial sync${siteText(sync.site)}`;
  return sync.problem === null ? `${fill}: ${fillText(sync)}.` : `${fill} ${stillText(sync)}.`;
}

/** A sentence on the stored issues, and the number of histories that are not whole. */
export function storedText({ issues, cutHistories }: SyncStatus): string {
  const stored = `${countOf(issues, 'issue')} stored`;
  return cutHistories === 0
    ? `${stored}, all with complete histories.`
    : `${stored}; the history of ${countWords(cutHistories)} of them is cut: where that matters, the answer says so.`;
}

/** The source of a fill, as a sentence goes on; empty for a site that was never reached. */
export function siteText(site: string): string {
  return site === '' ? '' : ` from ${hostText(site)}`;
}

/** A site as people call it: `example.atlassian.net`. */
function hostText(site: string): string {
  return escapeMrkdwn(shorten(site.replace(/^https?:\/\//, ''), 100));
}

function freshLine({ site, asOf, comparedAt }: SyncStatus, at: Instant): string {
  const fresh = asOf === null ? 'read lately' : `fresh as of ${momentText(asOf, at, marked)}`;
  const compared = comparedAt === null ? '' : `; compared ${momentText(comparedAt, at, marked)}`;
  return `${hostText(site)}, ${fresh}${compared}.`;
}

function problemLine({ message, at: since }: SyncProblem, at: Instant, admin: boolean): string {
  const failed = `:warning: The last sync failed at ${momentText(since, at, marked)}`;
  return admin
    ? `${failed}: ${sentence(message)}`
    : `${failed}; the person who runs Dwell finds out why with \`${syncCommand}\`.`;
}

function clockLines({ clockAheadMs }: SyncStatus): readonly string[] {
  if (clockAheadMs === null || Math.abs(clockAheadMs) <= CLOCK_MS) return [];
  const by = durationWords(Math.abs(clockAheadMs));
  return [
    `:warning: Its clock is ${by} ${clockAheadMs > 0 ? 'ahead of' : 'behind'} mine, so running times are off by that much.`,
  ];
}

function sentence(text: string): string {
  return escapeMrkdwn(shorten(text, SENTENCE_LENGTH));
}

/** The value that was found, or sentences on why it is unknown at the moment. */
export type Found<Value> =
  | { readonly value: Value; readonly reason: null }
  | { readonly value: null; readonly reason: string };

/** Waits for what may be unavailable for a while, which is to take nothing else with it. Any other failure is passed on. */
export async function knownSync<Value>(found: Promise<Value>): Promise<Found<Value>> {
  return orElse(
    found.then((value): Found<Value> => ({ value, reason: null })),
    ({ message, details }): Found<Value> => ({ value: null, reason: [message, ...details].join(' ') }),
    'unavailable',
  );
}
