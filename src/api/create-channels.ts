import type { Instant } from '../model/issue.ts';
import type { ChannelStore } from '../store/store.ts';
import type { ChannelsApi } from './channels.ts';
import type { SettingsApi } from './settings.ts';

/** What the choices of channels and people are kept and checked with. */
export interface ChannelsParts {
  readonly store: ChannelStore;
  readonly settings: Pick<SettingsApi, 'calendars'>;
  readonly now: () => Instant;
}

/** Choices of channels and people over the store. */
export function createChannels(_parts: ChannelsParts): ChannelsApi {
  return new Proxy({} as ChannelsApi, {
    get: () => () => {
      throw new Error('channels are not built');
    },
  });
}
