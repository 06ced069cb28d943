"""a player has one code that adds a device, and no more"""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Codes last ten minutes: who has two has asked for them just now, and asks again.
    op.execute(
        "delete from device_codes where player_id in "
        "(select player_id from device_codes group by player_id having count(*) > 1)"
    )
    op.create_unique_constraint(op.f("uq_device_codes_player_id"), "device_codes", ["player_id"])


def downgrade() -> None:
    op.drop_constraint(op.f("uq_device_codes_player_id"), "device_codes")
