import type { MessageBlock } from '../../block-kit/message.ts';
import { context, dateMark, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Instant } from '../../model/issue.ts';
import type { SyncStatus } from '../../model/sync.ts';
import { momentText } from '../../questions/view/foot-text.ts';
import { marked } from '../../questions/view/wording.ts';
import { button } from '../messages/button.ts';
import { syncLines } from '../status/sync-lines.ts';
import type { Facts, Ground, HomeContent, Who } from './home-content.ts';

const NAME_LENGTH = 80;

/** What the figures above rest on and what counts for this person, as far as it is known. */
export function factBlocks({
  at,
  who,
  facts,
  sync,
}: Pick<HomeContent, 'at' | 'who' | 'facts' | 'sync'>): readonly MessageBlock[] {
  const kept = sync.state === 'known' ? sync.value : null;
  const isAdmin = who.state === 'known' && who.value.kind === 'known' && who.value.admin;
  const lines = [
    // How far a first fill is stands at the top.
    ...(kept === null ? [] : syncLines(kept, at, isAdmin).slice(kept.filled ? 0 : 1)),
    ...(facts.state === 'known' ? factLines(facts.value, kept, at) : []),
    ...(who.state === 'known' ? [whoText(who.value)] : []),
    `This tab is as of ${dateMark(at)}. Buttons answer in *Messages*, for you alone.`,
  ];
  return [
    { type: 'divider' },
    context(lines.join('\n')),
    {
      type: 'actions',
      elements: [
        { ...button('Ask something', 'open-builder', 'usual'), style: 'primary' },
        button('Refresh', 'home-refresh', 'refresh'),
        button('Settings', 'home-settings', 'settings'),
        button('Help', 'home-ask', '/tis help'),
      ],
    },
  ];
}

function factLines(
  { calendar, timeZone, ground }: Facts,
  kept: SyncStatus | null,
  at: Instant,
): readonly string[] {
  return [
    ...(ground === null || kept !== null ? [] : [groundText(ground, at)]),
    `${calendar === null ? 'Every hour counts' : `The calendar *${nameText(calendar)}* counts`}, on the clocks of ${nameText(timeZone)}.`,
  ];
}

function groundText({ tracker, dataAsOf }: Ground, at: Instant): string {
  const sample = tracker === 'sample' ? ' (an invented company)' : '';
  const fresh = dataAsOf === null ? 'computed on the spot' : `as of ${momentText(dataAsOf, at, marked)}`;
  return `Tracker ${nameText(tracker)}${sample}, data ${fresh}.`;
}

function whoText(who: Who): string {
  return who.kind === 'known'
    ? `You are *${nameText(who.name)}* (${nameText(who.login)}) in the tracker; answers are given with those rights.`
    : 'You see what everybody may see, until I know who you are in the tracker.';
}

/** Three things to try, with keys that exist; without any issue how they come here: `synced` by themselves. */
export function tryingBlocks({ exampleKeys, ground }: Facts, synced: boolean): readonly MessageBlock[] {
  const [key] = exampleKeys;
  if (key === undefined || ground === null)
    return [
      section(
        synced
          ? '*No issue to tell of*\nNone that is kept here is one that you may see. `/tis status` tells how fresh they are, and who you are to me.'
          : '*No issue to tell of yet*\nImport some with `npm run dwell -- import FILE`, or ask an admin whether you may see any.',
      ),
    ];
  const project = key.slice(0, key.lastIndexOf('-'));
  const lines = [
    `• \`/tis ${escapeMrkdwn(key)}\` tells where the time of an issue went`,
    `• \`/tis weekly ${escapeMrkdwn(project)}\` tells what the last week of a project was like`,
    `• \`/tis aging ${escapeMrkdwn(project)}\` tells what has been where it is for too long`,
  ];
  return [
    section(['*Three things to try, in any channel*', ...lines, 'Only you see the answers.'].join('\n')),
  ];
}

function nameText(name: string): string {
  return escapeMrkdwn(shorten(name, NAME_LENGTH));
}
