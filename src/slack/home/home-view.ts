import type { HomeView } from '@slack/types';
import type { MessageBlock } from '../../block-kit/message.ts';
import { section } from '../../block-kit/mrkdwn.ts';
import type { SyncStatus } from '../../model/sync.ts';
import { fillLine, whileFilling } from '../status/sync-lines.ts';
import { coverBlocks, coverTitle } from './cover-blocks.ts';
import { factBlocks, tryingBlocks } from './fact-blocks.ts';
import { fileBlocks, filesTitle } from './file-blocks.ts';
import type { HomeContent, Who } from './home-content.ts';
import { sectionBlocks, sectionView } from './section-blocks.ts';
import { tellingBlocks, tellingTitle } from './telling-blocks.ts';
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
    sectionView(tellingTitle, telling, tellingBlocks),
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
