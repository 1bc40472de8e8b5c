import type { HomeView } from '@slack/types';
import type { SlashCommand } from '../command.ts';
import { context, escapeMrkdwn, section } from '../messages/mrkdwn.ts';

/** What the Home tab is made from. */
export interface HomeContent {
  readonly commands: readonly SlashCommand[];
  readonly exampleKeys: readonly string[];
}

/** The Home tab: what Dwell is for, what to type, and issues to try it on. */
export function homeView({ commands, exampleKeys }: HomeContent): HomeView {
  const examples = exampleKeys.map((key) => `\`/tis ${escapeMrkdwn(key)}\``).join('   ');
  return {
    type: 'home',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'How long does work dwell?' } },
      section('Ask in any channel; only you see the answer. A file is posted for everybody there.'),
      section(commands.map(({ usage, summary }) => `\`${usage}\`  ${summary}`).join('\n')),
      ...(exampleKeys.length === 0
        ? []
        : [{ type: 'divider' } as const, section(`*Moved lately*\n${examples}`)]),
      context('Every answer says which hours it counts and whether the history behind it is complete.'),
    ],
  };
}
