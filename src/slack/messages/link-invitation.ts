import type { Message } from '../../block-kit/message.ts';
import { context, section } from '../../block-kit/mrkdwn.ts';
import { button } from './button.ts';

/** How somebody says who they are: by a link of their own, or through others. */
interface LinkWays {
  /** Null where this Dwell has no address that others reach. */
  readonly link: string | null;
  readonly account: string;
  /** Whether the tracker has admins; else the command line does their work. */
  readonly hasAdmins: boolean;
}

/** How somebody says who they are in the tracker. Expects an escaped lead. */
export function linkInvitation(lead: string, { link, account, hasAdmins }: LinkWays): Message {
  const line = `\`npm run --silent dwell -- people --link ${account} --to USERNAME\``;
  const others = hasAdmins
    ? `an admin says it: \`/delegates link @you USERNAME\`, or ${line}.`
    : `it is said on the command line: ${line}.`;
  if (link === null) {
    const how =
      'For a link of your own an admin has to set `BASE_URL`, the address at which people reach Dwell.';
    return {
      text: `${lead} ${how} Until then ${others}`,
      blocks: [section(`${lead}\n${how}`), context(`Until then ${others}`)],
    };
  }
  const how = 'Open your link and prove who you are with a token of Dwell; it works for 15 minutes.';
  return {
    text: `${lead} ${how} <${link}|Link my account> Or ${others}`,
    blocks: [
      section(`${lead}\n${how}`),
      {
        type: 'actions',
        elements: [{ ...button('Link my account', 'open-link-page', 'link'), url: link, style: 'primary' }],
      },
      context(`Or ${others}`),
    ],
  };
}
