/**
 * Who may read a channel beside the people of the workspace. What of them is known: none; who they are, as in "This
 * channel has guests"; or why nobody can tell, in a whole sentence with what would help (mrkdwn),
 * and whether that is a trouble that passes by itself.
 */
export type Outsiders =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'some';
      readonly what: 'is shared with other workspaces' | 'has guests' | 'is a conversation without me';
    }
  | { readonly kind: 'unknown'; readonly because: string; readonly passes: boolean };
