import { closedTo } from '../../api/access-rules.ts';
import { codeText } from '../../block-kit/code-text.ts';
import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { SyncStatus } from '../../model/sync.ts';
import type { Provenance } from '../../model/table.ts';
import { countWords } from '../../questions/view/figure-words.ts';
import { momentText } from '../../questions/view/foot-text.ts';
import { marked } from '../../questions/view/wording.ts';
import { type Audience, audienceText } from '../audience/audience-text.ts';
import { loginOf } from '../people/login-of.ts';
import { nobodyKnown } from '../people/nobody-known.ts';
import type { Status } from './gather-status.ts';
import { keptText, syncLines, whileFilling } from './sync-lines.ts';

const NAME_LENGTH = 80;
const FAILURES = 5;

/** What a place is like: the sentences (mrkdwn) about its hours, what an admin lets its readers see, and who they are. */
export interface PlaceStatus {
  readonly hours: string;
  /** `direct`: nobody else reads there. */
  readonly audience: 'direct' | Audience;
}

/** How Dwell is, line by line. */
export function statusMessage(status: Status, place: PlaceStatus, version: string): Message {
  return lineBlocks([
    ...dataLines(status),
    `*Here* ${place.hours}`,
    `*Told to all here* ${toldHereText(place.audience, status)}`,
    `*You* ${whoText(status)}`,
    ...tellingLines(status),
    ...status.missingScopes.map(
      ({ scopes, without }) =>
        `*Slack* has not granted ${scopes.map((scope) => `\`${scope}\``).join(', ')}: ${without}. Install the app again from the manifest to grant it.`,
    ),
    `*Dwell* ${escapeMrkdwn(version)}`,
  ]);
}

function dataLines(status: Status): readonly string[] {
  const { sync, provenance } = status;
  return [
    ...(sync === null ? trackerLines(status) : siteLines(sync, status)),
    `*Issues* ${provenance.untold === null ? issuesText(provenance.value) : whyUntold(provenance.untold, sync)}`,
  ];
}

function siteLines(sync: SyncStatus, { at, admin }: Status): readonly string[] {
  const [first = '', ...others] = syncLines(sync, at, admin);
  const kept = admin ? ` ${keptText(sync)}` : '';
  return [`*Tracker* ${first}${kept}`, ...others.map((line) => `      ${line}`)];
}

function trackerLines({ provenance: { value }, at }: Status): readonly string[] {
  if (value === null) return [];
  const { tracker, dataAsOf } = value;
  const sample = tracker === 'sample' ? ' (an invented company)' : '';
  const fresh = dataAsOf === null ? 'computed on the spot' : `as of ${momentText(dataAsOf, at, marked)}`;
  return [`*Tracker* ${escapeMrkdwn(tracker)}${sample}; data ${fresh}`];
}

function issuesText({ issues, cutHistories }: Provenance): string {
  const cut =
    cutHistories === 0
      ? 'All histories are complete.'
      : `The history of ${countWords(cutHistories)} of them is cut: where that matters, the answer says so.`;
  return `${countWords(issues)} that you may see. ${cut}`;
}

/** What the line about the tracker says already is not said again. */
function whyUntold(untold: string, sync: SyncStatus | null): string {
  if (sync !== null && !sync.filled) return whileFilling;
  return `which you may see cannot be told at the moment. ${shownText(untold)}`;
}

function shownText(sentences: string): string {
  return escapeMrkdwn(shorten(sentences, 400));
}

function toldHereText(audience: PlaceStatus['audience'], { scope }: Status): string {
  if (audience === 'direct') return 'nobody but you reads here.';
  if (scope.untold !== null) return `cannot be told at the moment. ${shownText(scope.untold)}`;
  return audienceText(audience, closedTo(scope.value)).join(' ');
}

function whoText({ known, knowsUsers, sync }: Status): string {
  switch (known?.kind) {
    case 'known':
      return `${escapeMrkdwn(shorten(known.user.name, NAME_LENGTH))} (${escapeMrkdwn(loginOf(known.user))}) in the tracker; answers are given with those rights.`;
    case 'several':
      return 'several users of the tracker may be you, so you see what everybody may see; say who you are with `/tis link`.';
    case 'unknown':
      if (!knowsUsers)
        return `nobody I know in the tracker, so you see what everybody may see. ${nobodyKnown(sync)}`;
      return `nobody I know in the tracker, so you see what everybody may see. ${escapeMrkdwn(known.because)} Say who you are with \`/tis link\`.`;
    case undefined:
      return 'Slack does not tell at the moment who you are, so you see what everybody may see. Try again later.';
  }
}

function tellingLines({ digests, failedDigests, watches, pausedWatches }: Status): readonly string[] {
  const paused = pausedWatches.length === 0 ? '' : ` (${countWords(pausedWatches.length)} paused)`;
  return [
    `*Yours* digests: ${countWords(digests)}; watches: ${countWords(watches)}${paused}`,
    ...failedDigests
      .slice(0, FAILURES)
      .map(
        ({ title, lastRun }) =>
          `      The digest ${codeText(title)} failed: ${escapeMrkdwn(shorten(lastRun?.message ?? 'nobody knows why.', 300))}`,
      ),
    ...(failedDigests.length > FAILURES
      ? [`      … and ${countWords(failedDigests.length - FAILURES)} more.`]
      : []),
  ];
}
