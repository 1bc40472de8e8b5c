import type { Message } from './message.ts';
import { sendEvent } from './send-event.ts';
import type { Stage } from './stage.ts';

/** Tells the app of links to domains it listens to in a message somebody posted, as Slack does: once, all of them. */
export async function shareLinks(
  stage: Stage,
  { text, ts, channel, user, threadTs }: Message,
): Promise<void> {
  const { events, unfurlDomains = [] } = stage.options;
  if (!events?.includes('link_shared')) return;
  const links = [...new Set(text.match(/https?:\/\/[^\s<>|]+/g) ?? [])].flatMap((found) => {
    const url = found.replaceAll('&amp;', '&');
    const host = URL.canParse(url) ? new URL(url).hostname : '';
    const domain = unfurlDomains.find((one) => host === one || host.endsWith(`.${one}`));
    return domain === undefined ? [] : [{ url, domain }];
  });
  if (links.length === 0) return;
  await sendEvent(stage, {
    type: 'link_shared',
    channel,
    is_bot_user_member: stage.workspace.isMember(channel),
    user,
    message_ts: ts,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    unfurl_id: `${channel}-${ts}`,
    source: 'conversations_history',
    links,
    event_ts: stage.workspace.nextTs(),
  });
}
