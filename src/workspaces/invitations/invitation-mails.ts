import type { Role } from '../../contract/index.ts';
import { type Mail, quoteInMail } from '../../platform/index.ts';

interface InvitationMail {
  readonly to: string;
  readonly siteUrl: string;
  /** The email address of the member that invites the recipient. */
  readonly senderEmail: string;
  readonly workspaceName: string;
  readonly secret: string;
  readonly expiresAt: Date;
}

/**
 * Returns the email to an invited address. It is plain text and contains few words that a member has chosen: recipients
 * trust emails from this service, so members must not be able to send their own messages with it.
 */
export function invitationMail(mail: InvitationMail & { readonly role: Role }): Mail {
  const { to, siteUrl, senderEmail, workspaceName, role, secret, expiresAt } = mail;
  return {
    to,
    subject: 'You are invited to a workspace of Almanac',
    text: joinParagraphs(
      `${senderEmail} invites you (${to}) to ${workspaceLabel(workspaceName)} at ${siteUrl}, ${formatRole(role)}. To accept or decline, open`,
      invitationLink(siteUrl, secret),
      `The link works once, until ${formatTime(expiresAt)}. You need an account with this address; you can create one on the page.`,
      'If you do not know the sender, ignore this email; nothing will happen.',
    ),
  };
}

/** Returns the email to a member that is invited to become the owner. */
export function ownershipMail({ to, siteUrl, senderEmail, workspaceName, secret, expiresAt }: InvitationMail): Mail {
  return {
    to,
    subject: 'You are invited to own a workspace of Almanac',
    text: joinParagraphs(
      `${senderEmail} wants to make you (${to}) the owner of ${workspaceLabel(workspaceName)} at ${siteUrl}. The owner pays: forecasts in the workspace use the credits and slots of its owner, whichever member creates them. To accept or decline, open`,
      invitationLink(siteUrl, secret),
      `The link works once, until ${formatTime(expiresAt)}. Until you accept, nothing changes.`,
      'If you do not want this, ignore this email; nothing will happen.',
    ),
  };
}

function invitationLink(siteUrl: string, secret: string): string {
  return `${siteUrl}/auth/invitation?token=${secret}`;
}

/**
 * Returns the words with which an email refers to a workspace: its name in quotes, on one line. A name that looks like a
 * link is omitted, because the recipient has not asked for the email and trusts its sender.
 *
 * @example workspaceLabel('Rates "desk"') // the workspace "Rates 'desk'"
 */
function workspaceLabel(workspace: string): string {
  const name = quoteInMail(workspace);
  return name === null ? 'a workspace' : `the workspace ${name}`;
}

function formatRole(role: Role): string {
  return role === 'editor' ? 'as an editor' : 'as a viewer';
}

function formatTime(instant: Date): string {
  return `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function joinParagraphs(...texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`;
}
