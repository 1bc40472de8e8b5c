/** What some scopes of Slack are for, and what is lost without them. docs/slack.md has the same table in words for people. */
export interface ScopeUse {
  readonly scopes: readonly string[];
  readonly use: string;
  readonly without: string;
}

/** Every scope that `manifest.yml` asks for. */
export const scopeUses: readonly ScopeUse[] = [
  {
    scopes: ['commands', 'chat:write'],
    use: 'commands and shortcuts; what is shared, digests, direct words',
    without: 'nothing works',
  },
  {
    scopes: ['app_mentions:read', 'im:history'],
    use: 'answers to who mentions Dwell or writes to it directly; whether a direct message is there already',
    without: 'only commands are answered, and a direct message that may have come is not sent again',
  },
  {
    scopes: ['files:write', 'files:read'],
    use: 'files and pictures; whether Slack has a file already, so that it is never shared twice',
    without: 'no files and no pictures of charts',
  },
  {
    scopes: ['users:read', 'users:read.email'],
    use: 'who you are in the tracker: the same e-mail address of a live, confirmed account of this workspace',
    without: 'only people who are linked (by themselves or an admin) are answered',
  },
  {
    scopes: ['channels:read', 'groups:read', 'mpim:read'],
    use: 'who reads in a channel or a group conversation that has no list (optional)',
    without: 'nothing is shared there before an admin says `/tis audience allow PROJECT with guests`',
  },
  {
    scopes: ['channels:history', 'groups:history', 'im:write'],
    use: 'whether a digest, or the word of a watch, is there although it is unknown whether it was sent; read only then (optional)',
    without: 'it is not sent again; the owner of the digest is told and can',
  },
  {
    scopes: ['links:read', 'links:write'],
    use: 'the time in status below links; needs the event `link_shared` and `unfurl_domains` in the manifest, and `/tis unfurl on` (optional)',
    without: 'links stay as they are',
  },
];

/** Which scopes were not granted, with what is lost; none where Slack does not say what it granted. */
export function missingScopes(granted: readonly string[] | undefined): readonly ScopeUse[] {
  if (granted === undefined) return [];
  return scopeUses.flatMap((use) => {
    const scopes = use.scopes.filter((scope) => !granted.includes(scope));
    return scopes.length === 0 ? [] : [{ ...use, scopes }];
  });
}
