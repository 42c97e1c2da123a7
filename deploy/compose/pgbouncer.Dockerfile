FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends pgbouncer postgresql-client \
  && rm -rf /var/lib/apt/lists/*
COPY pgbouncer.ini /etc/pgbouncer/almanac.ini
USER postgres
CMD ["/bin/sh", "-c", "umask 077; printf '\"almanac\" \"%s\"\\n' \"$DATABASE_PASSWORD\" >/tmp/userlist.txt; exec /usr/sbin/pgbouncer /etc/pgbouncer/almanac.ini"]
