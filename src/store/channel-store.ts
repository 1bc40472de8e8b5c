import type { ChannelSettings, Preferences } from '../model/chat.ts';

/** What was chosen for channels and by people. */
export interface ChannelStore {
  channel(id: string): Promise<ChannelSettings | null>;
  channels(): Promise<readonly ChannelSettings[]>;
  /** Replaces what `change` is given (null: nothing yet) by what it returns, nobody writing in between. */
  changeChannel(
    id: string,
    change: (kept: ChannelSettings | null) => ChannelSettings,
  ): Promise<ChannelSettings>;
  preferences(account: string): Promise<Preferences | null>;
  putPreferences(preferences: Preferences): Promise<void>;
}
