import type { SlashCommand } from '../command.ts';
import { tisExport } from './tis-export.ts';
import { tisHelp } from './tis-help.ts';
import { tisIssue } from './tis-issue.ts';

/** Everything the slash commands can do; a new one is one file and one line here. */
export const commands: readonly SlashCommand[] = [tisIssue, tisExport, tisHelp];
