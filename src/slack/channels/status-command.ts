import { codeText } from '../../block-kit/code-text.ts';
import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { closedTo } from '../../issues/browse-scope.ts';
import type { SyncStatus } from '../../model/sync.ts';
import type { Provenance } from '../../model/table.ts';
import { countWords } from '../../questions/view/figure-words.ts';
import { momentText } from '../../questions/view/foot-text.ts';
import { marked } from '../../questions/view/wording.ts';
import type { SlashCommand } from '../app/handler-types.ts';
import type { AudienceParts, SlackParts } from '../app/parts.ts';
import { usageRefusal } from '../app/show-failure.ts';
import { knownSync, storedText, syncLines, whileFilling } from '../app/sync-lines.ts';
import { loginOf } from '../people/accounts.ts';
import { noPeopleText } from '../people/identify.ts';
import { hasAdmins, resolvePrincipal } from '../people/principals.ts';
import { type Audience, anybodyIn, audienceText, trackerDecides, whoAllows } from './audience.ts';
import { inForce } from './calendar-command.ts';
import { isOurConversation } from './channel-facts.ts';
import { gatherStatus, type Status } from './gather-status.ts';

/** `/tis status`: how Dwell is, as far as it matters here. */
export const tisStatus: SlashCommand<
  AudienceParts &
    Pick<
      SlackParts,
      'accounts' | 'digests' | 'now' | 'settings' | 'sync' | 'timeZone' | 'version' | 'watches' | 'web'
    >
> = {
  root: '/tis',
  word: 'status',
  usage: '/tis status',
  summary: 'how fresh the data is, what counts in this channel, and who you are to me',
  details:
    'The tracker and its issues, which histories are cut, the calendar and zone here, what may be told to all in this channel, and which of your digests failed.',
  async answer(asked, parts) {
    if (asked.text !== '') return [usageRefusal(asked.text, tisStatus.usage)];
    const { place } = asked;
    const account = asked.principal.account;
    const calendars = await parts.settings.calendars(await resolvePrincipal(account, parts));
    const [status, { text: hours }, audience] = await Promise.all([
      gatherStatus(account, parts),
      inForce(place, account, calendars, parts),
      audienceOf(place.channel, parts),
    ]);
    return [statusMessage(status, { hours, audience }, parts.version)];
  },
};

async function audienceOf(
  channel: string,
  { channels, channelFacts, reporting, people }: AudienceParts,
): Promise<PlaceStatus['audience']> {
  if (await isOurConversation(channel, channelFacts)) return 'direct';
  const { projects } = await channels.channel(channel);
  const open = await knownSync(reporting.browseScope(anybodyIn(people)));
  return {
    projects,
    outsiders: await channelFacts.outsidersIn(channel),
    byTracker: open.value !== null && trackerDecides(open.value),
    allowing: whoAllows(channel, await hasAdmins(people)),
  };
}

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
    `*Told to all here* ${shownHereText(place.audience, status)}`,
    `*You* ${whoText(status)}`,
    ...scheduledLines(status),
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
    `*Issues* ${provenance.untold === null ? issuesText(provenance.value) : unknownReason(provenance.untold, sync)}`,
  ];
}

function siteLines(sync: SyncStatus, { at, admin }: Status): readonly string[] {
  const [first = '', ...others] = syncLines(sync, at, admin);
  const kept = admin ? ` ${storedText(sync)}` : '';
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
function unknownReason(untold: string, sync: SyncStatus | null): string {
  if (sync !== null && !sync.filled) return whileFilling;
  return `which you may see cannot be told at the moment. ${shownText(untold)}`;
}

function shownText(sentences: string): string {
  return escapeMrkdwn(shorten(sentences, 400));
}

function shownHereText(audience: PlaceStatus['audience'], { scope }: Status): string {
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
        return `nobody I know in the tracker, so you see what everybody may see. ${noPeopleText(sync)}`;
      return `nobody I know in the tracker, so you see what everybody may see. ${escapeMrkdwn(known.because)} Say who you are with \`/tis link\`.`;
    case undefined:
      return 'Slack does not tell at the moment who you are, so you see what everybody may see. Try again later.';
  }
}

function scheduledLines({ digests, failedDigests, watches, pausedWatches }: Status): readonly string[] {
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
