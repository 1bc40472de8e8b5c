import type { SlashCommand } from '../command.ts';
import { tellTyped } from '../questions/tell-typed.ts';

/** `/tis mine`: what waits on the principal. */
export const tisMine: SlashCommand = {
  root: '/tis',
  word: 'mine',
  usage: '/tis mine [in CALENDAR]',
  summary: 'what waits on you, and on those you stand in for',
  details:
    'Open issues assigned to you, and of everybody you stand in for now, those that wait longest first.',
  answer: (asked, parts) => tellTyped(`mine ${asked.text}`, asked, parts, () => ['/tis link', '/tis mine']),
};
