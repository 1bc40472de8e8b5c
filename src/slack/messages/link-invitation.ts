import type { Message } from '../message.ts';
import { button } from './button.ts';
import { context, section } from './mrkdwn.ts';

/** How somebody says who they are: by a link of their own, or through others. */
export interface LinkWays {
  readonly link: string;
  readonly account: string;
  /** Whether the tracker has admins; else the command line does their work. */
  readonly hasAdmins: boolean;
}

/** How somebody says who they are in the tracker. Expects an escaped lead. */
export function linkInvitation(lead: string, { link, account, hasAdmins }: LinkWays): Message {
  const how = 'Open your link and prove who you are with a token of Dwell; it works for 15 minutes.';
  const line = `\`npm run --silent dwell -- people --link ${account} --to USERNAME\``;
  const others = hasAdmins
    ? `Or an admin says it: \`/delegates link @you USERNAME\`, or ${line}.`
    : `Or it is said on the command line: ${line}.`;
  return {
    text: `${lead} ${how} <${link}|Link my account> ${others}`,
    blocks: [
      section(`${lead}\n${how}`),
      {
        type: 'actions',
        elements: [{ ...button('Link my account', 'open-link-page', 'link'), url: link, style: 'primary' }],
      },
      context(others),
    ],
  };
}
