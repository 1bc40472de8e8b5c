import type { SlashCommand } from '../command.ts';
import { tellTyped } from '../questions/tell-typed.ts';

/** `/tis aging`: open issues by how long they have been where they are. */
export const tisAging: SlashCommand = {
  root: '/tis',
  word: 'aging',
  usage: '/tis aging [FILTER] [in CALENDAR]',
  summary: 'open issues by how long they have been where they are, against what is usual there',
  examples: [
    '/tis aging WEB',
    '/tis aging assignee ada',
    '/tis aging jql project = WEB AND status = "In Review"',
  ],
  details:
    'Usual is what 85 % of the visits that ended in that status within 90 days did not exceed. Without a FILTER it is of the projects chosen for this channel, else of that of which most issues are yours.',
  answer: (asked, parts) =>
    tellTyped(`aging ${asked.text}`, asked, parts, ({ project }) => [`/tis aging ${project}`]),
};
