import type { Method } from '../method.ts';
import { Refusal } from '../refusal.ts';

/** The address of a Socket Mode connection; the only method that wants the app-level token. */
export const appsConnectionsOpen: Method = {
  name: 'apps.connections.open',
  run: (_, { sockets }, caller) => {
    if (caller !== 'app') throw new Refusal('not_allowed_token_type');
    return { url: sockets.open() };
  },
};
