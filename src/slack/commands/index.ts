import type { SlashCommand } from '../command.ts';
import { kindCommands } from '../questions/kind-commands.ts';
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

/** Everything the slash commands can do; a new one is one file and one line here. */
export const commands: readonly SlashCommand[] = [
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
