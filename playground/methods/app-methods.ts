import { checkBlocks, checkView } from '../../src/slack/blocks/check-blocks.ts';
import { argumentsRefusal, isJson, problemsRefusal, Refusal } from '../slack-json.ts';
import type { Method } from '../slack-method.ts';

/** Who calls, how Socket Mode connects, and checks that change nothing. */
export const appMethods: readonly Method[] = [
  /** Says the arguments back; needs no token. */
  {
    name: 'api.test',
    run: ({ given: { token: _, ...args } }) => ({ args }),
  },
  /** Who the token belongs to. */
  {
    name: 'auth.test',
    run: (_, { options: { team, app } }) => ({
      url: `https://${team.domain}.slack.com/`,
      team: team.name,
      user: app.name.toLowerCase(),
      team_id: team.id,
      user_id: app.botUserId,
      bot_id: app.botId,
      is_enterprise_install: false,
    }),
  },
  /** The address of a Socket Mode connection; the only method that wants the app-level token. */
  {
    name: 'apps.connections.open',
    run: (_, { sockets }, caller) => {
      if (caller !== 'app') throw new Refusal('not_allowed_token_type');
      return { url: sockets.open() };
    },
  },
  /** Says what is wrong with blocks, a message or a view; posts nothing. */
  {
    name: 'blocks.validate',
    run: (args) => {
      const [blocks, message, view] = [args.json('blocks'), args.json('message'), args.json('view')];
      const problems =
        view !== undefined
          ? checkView(view)
          : checkBlocks(blocks ?? (isJson(message) ? message.blocks : undefined), 'message');
      if (blocks === undefined && message === undefined && view === undefined)
        throw argumentsRefusal('missing required field: blocks');
      if (problems.length > 0) throw problemsRefusal('invalid_blocks', problems);
      return {};
    },
  },
];
