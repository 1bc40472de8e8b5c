import type { ChannelSettings, Preferences } from '../../model/chat.ts';

/** The port of what was chosen for channels and by people; nulls where nothing was. */
export interface ChannelsApi {
  channel(channel: string): Promise<ChannelSettings>;
  /** Every channel for which something was chosen. */
  channels(): Promise<readonly ChannelSettings[]>;
  /**
   * Replaces the members given; an unknown zone or calendar is `bad-request`. `by` is the account that changes them: the
   * door decides who can.
   */
  changeChannel(
    channel: string,
    changes: Partial<Pick<ChannelSettings, 'timeZone' | 'calendar' | 'projects' | 'unfurls'>>,
    by: string,
  ): Promise<ChannelSettings>;
  /** Gives a channel the zone of the account that first asks there; of several at once the first one counts. */
  beginTimeZone(channel: string, timeZone: string, account: string): Promise<ChannelSettings>;
  preferences(account: string): Promise<Preferences>;
  changePreferences(account: string, changes: Partial<Omit<Preferences, 'account'>>): Promise<Preferences>;
}
