import { soaking } from './soak.ts';

/**
 * The transports of Slack over which features are tried. They come to the same over either, so a quick run takes the one
 * that is rarer elsewhere; how the transports differ is held by the suites of `test/slack/app`.
 */
export const transports = soaking ? (['http', 'socket'] as const) : (['socket'] as const);
