import { isDirect } from '../hours-here.ts';
import type { ChannelFacts } from './channel-facts.ts';

/** Whether a place is the conversation of one person and the app, and not one of two people without it. */
export async function isOurConversation(channel: string, { outsidersIn }: ChannelFacts): Promise<boolean> {
  if (!isDirect(channel)) return false;
  // An account names the conversation the app has with it.
  if (!channel.startsWith('D')) return true;
  return (await outsidersIn(channel)).kind !== 'some';
}
