import type { HomeView } from '@slack/types';
import type { MessageBlock } from '../../block-kit/message.ts';
import { context, dateMark, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Instant } from '../../model/issue.ts';
import type { SyncStatus } from '../../model/sync.ts';
import { momentText } from '../../questions/view/foot-text.ts';
import { marked } from '../../questions/view/wording.ts';
import { button } from '../app/message-texts.ts';
import { fillLine, syncLines, whileFilling } from '../app/sync-lines.ts';
import {
  coverBlocks,
  coverTitle,
  fileBlocks,
  filesTitle,
  sectionBlocks,
  sectionView,
} from './home-blocks.ts';
import type { Facts, Ground, HomeContent, Who } from './home-content.ts';
import { scheduledBlocks, scheduledTitle } from './scheduled-blocks.ts';
import { waitingBlocks } from './waiting-blocks.ts';
import { weekBlocks, weeksTitle } from './week-blocks.ts';

/** The Home tab, most relevant first: a pure view, within Slack's limits whatever there is to tell. */
export function homeView(content: HomeContent): HomeView {
  const { at, who, waiting, usual, cover, weeks, telling, files, facts, sync } = content;
  const isKnown = who.state === 'known' && who.value.kind === 'known';
  const [whoPart = [], waitingPart = [], ...others] = sectionBlocks([
    sectionView('Who you are', who, whoBlocks),
    sectionView('What waits on you', waiting, (mine) => (mine === null ? [] : waitingBlocks(mine, usual))),
    sectionView(coverTitle, cover, (known) => coverBlocks(known, at)),
    sectionView(weeksTitle, weeks, (known) => weekBlocks(known, isKnown)),
    sectionView(scheduledTitle, telling, scheduledBlocks),
    sectionView(filesTitle, files, fileBlocks),
    sectionView('What counts here', facts, () => []),
  ]);
  const filling = sync.state === 'known' && sync.value?.filled === false ? fillBlocks(sync.value) : [];
  const trying =
    facts.state === 'known' && isNew(content) && filling.length === 0
      ? tryingBlocks(facts.value, sync.state === 'known' && sync.value !== null)
      : [];
  const parts = [filling, whoPart, waitingPart, trying, ...others].filter((blocks) => blocks.length > 0);
  const divided = parts.flatMap((blocks, i): readonly MessageBlock[] =>
    i === 0 ? blocks : [{ type: 'divider' }, ...blocks],
  );
  return { type: 'home', blocks: [...divided, ...factBlocks(content)] };
}

/** Why little can be told yet, before all else. */
function fillBlocks(sync: SyncStatus): readonly MessageBlock[] {
  return [section(`*${fillLine(sync)}*\n${whileFilling}`)];
}

/** Who is known needs no word at the top. */
function whoBlocks(who: Who): readonly MessageBlock[] {
  if (who.kind === 'known') return [];
  const without =
    'Without it you can ask for everything that everybody may see, and have digests, watches and exports.';
  return [...who.invitation.blocks.slice(0, 4), section(without)];
}

/** Nothing waits on them, or nobody knows whether anything does. */
function isNew({ waiting }: Pick<HomeContent, 'waiting'>): boolean {
  if (waiting.state !== 'known') return false;
  const mine = waiting.value;
  return mine === null || mine.own.issues.length + mine.covered.length === 0;
}

const NAME_LENGTH = 80;

/** What the figures above rest on and what counts for this person, as far as it is known. */
function factBlocks({
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
function tryingBlocks({ exampleKeys, ground }: Facts, synced: boolean): readonly MessageBlock[] {
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
