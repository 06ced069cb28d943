"""a player has devices, each with a token of its own, and codes that add one more"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "devices",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_devices")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_devices_token_hash")),
    )
    op.create_index(op.f("ix_devices_player_id"), "devices", ["player_id"])
    op.create_table(
        "device_codes",
        sa.Column("code_hash", sa.LargeBinary(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("code_hash", name=op.f("pk_device_codes")),
    )
    op.execute(
        "insert into devices (id, player_id, token_hash, label, created_at, seen_at) "
        "select gen_random_uuid(), id, token_hash, '', created_at, seen_at from players"
    )
    op.drop_constraint(op.f("uq_players_token_hash"), "players")
    op.drop_column("players", "token_hash")


def downgrade() -> None:
    op.add_column("players", sa.Column("token_hash", sa.LargeBinary(), nullable=True))
    # A player has one token then: that of the first device. Who has none left has one of nobody.
    op.execute(
        "update players set token_hash = coalesce("
        "(select token_hash from devices where player_id = players.id "
        "order by created_at, id limit 1), sha256(gen_random_uuid()::text::bytea))"
    )
    op.alter_column("players", "token_hash", nullable=False)
    op.create_unique_constraint(op.f("uq_players_token_hash"), "players", ["token_hash"])
    op.drop_table("device_codes")
    op.drop_table("devices")
