import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A version in the changelog. */
export interface ChangelogRelease {
  readonly version: string;
  /** As it is written. */
  readonly date: string;
  /** The headings of its sections, such as Added. */
  readonly sections: readonly string[];
  readonly text: string;
}

export interface Changelog {
  /** What was changed since the newest release; empty in the commit of a release. */
  readonly unreleased: string;
  readonly releases: readonly ChangelogRelease[];
}

const HEADING = /^## (?<version>\S+)(?: - (?<date>.*))?$/;

/** Reads CHANGELOG.md, whose newest section comes first. */
export function readChangelog(): Changelog {
  return parseChangelog(readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8'));
}

export function parseChangelog(content: string): Changelog {
  const [, ...sections] = content.split(/^(?=## )/m);
  const [unreleased = '', ...releases] = sections;
  if (!unreleased.startsWith('## Unreleased\n')) throw new Error('CHANGELOG.md has no section Unreleased on top.');
  return {
    unreleased: unreleased.slice('## Unreleased\n'.length).trim(),
    releases: releases.map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      const { version = '', date = '' } = HEADING.exec(heading)?.groups ?? {};
      const text = lines.join('\n').trim();
      return { version, date, text, sections: [...text.matchAll(/^### (.*)$/gm)].map(([, name = '']) => name) };
    }),
  };
}

/** Returns whether a version is later than another one, by their numbers. */
export function isLater(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) > 0;
}
