import type { ChannelSettings, Preferences } from '../../model/chat.ts';

/** The port of what was chosen for channels and by people; reading what nobody chose gives nulls. */
export interface ChannelsApi {
  channel(channel: string): Promise<ChannelSettings>;
  /** Every channel for which something was chosen. */
  channels(): Promise<readonly ChannelSettings[]>;
  /**
   * Replaces the members given. A zone or calendar nobody knows is `bad-request`. `by` is the account that says so; who
   * may say what is for the door to know.
   */
  changeChannel(
    channel: string,
    changes: Partial<Pick<ChannelSettings, 'timeZone' | 'calendar' | 'projects' | 'unfurls'>>,
    by: string,
  ): Promise<ChannelSettings>;
  preferences(account: string): Promise<Preferences>;
  changePreferences(account: string, changes: Partial<Omit<Preferences, 'account'>>): Promise<Preferences>;
}
