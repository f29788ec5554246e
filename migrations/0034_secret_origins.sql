-- The origin (scheme, host, port) that each secret of an install was given for, sealed like the settings. Null in rows of
-- earlier releases: their secrets belong to the origin that the settings name.
alter table app_installs add column secret_origins bytea;
