import type { Method } from '../method.ts';

/** Who the token belongs to. */
export const authTest: Method = {
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
};
