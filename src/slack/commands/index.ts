import { questionKinds } from '../../questions/index.ts';
import type { SlashCommand } from '../command.ts';
import { savedSets } from '../messages/saved-sets.ts';
import type { AskingParts, SlackParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { tellTyped } from '../questions/tell-typed.ts';
import { delegatesEnd } from './delegates-end.ts';
import { delegatesFor } from './delegates-for.ts';
import { delegatesHelp } from './delegates-help.ts';
import { delegatesLink } from './delegates-link.ts';
import { delegatesMine } from './delegates-mine.ts';
import { delegatesSet } from './delegates-set.ts';
import { delegatesWeek } from './delegates-week.ts';
import { delegatesWho } from './delegates-who.ts';
import { tisAudience } from './tis-audience.ts';
import { tisCalendar } from './tis-calendar.ts';
import { tisDigest } from './tis-digest.ts';
import { tisExport } from './tis-export.ts';
import { tisHelp } from './tis-help.ts';
import { tisIssue } from './tis-issue.ts';
import { tisLink } from './tis-link.ts';
import { tisStatus } from './tis-status.ts';
import { tisUnfurl } from './tis-unfurl.ts';
import { tisWatch } from './tis-watch.ts';

/** `/tis WORD …` of every kind of question. */
const kindCommands: readonly SlashCommand<AskingParts>[] = questionKinds
  .flatMap(({ commands }) => commands)
  .map(({ tries, ...line }) => ({
    ...line,
    root: '/tis',
    answer: (asked, parts) =>
      line.word === 'saved' && asked.text === ''
        ? listSaved(asked, parts)
        : tellTyped(`${line.word} ${asked.text}`, asked, parts, tries),
  }));

/** Everything the slash commands can do; a new one is one file and one line here. */
export const commands: readonly SlashCommand<SlackParts>[] = [
  tisIssue,
  ...kindCommands,
  tisExport,
  tisWatch,
  tisAudience,
  tisDigest,
  tisCalendar,
  tisUnfurl,
  tisLink,
  tisStatus,
  tisHelp,
  delegatesWho,
  delegatesFor,
  delegatesMine,
  delegatesWeek,
  delegatesSet,
  delegatesEnd,
  delegatesLink,
  delegatesHelp,
];

/** `/tis saved` alone: the parameter sets that can be asked. */
const listSaved: SlashCommand<Pick<SlackParts, 'accounts' | 'people' | 'settings'>>['answer'] = async (
  { principal: { account } },
  parts,
) => {
  const principal = await resolvePrincipal(account, parts);
  const sets = await parts.settings.parameterSets(principal);
  return [savedSets(sets, principal.account, await parts.people.users())];
};
